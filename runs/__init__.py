"""Long-running work, without Streamlit."""
