// Reads a JSON schema from standard input and writes the types of it to standard output.
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(await text(process.stdin));
const types = await compile(schema, schema.title, {
  bannerComment: `// Written by \`make contract\` from ${process.argv[2]}: change that file, not this one.`,
  additionalProperties: false,
  maxItems: 2, // longer arrays are no tuples
  style: { printWidth: 110, tabWidth: 2 },
});
process.stdout.write(types);
