"""How clinicians compare with each other, with the judge as a colleague, and with themselves."""
