import { open } from "cairn-map";

const cairn = await open(process.argv[2]);
for await (const { id, properties } of cairn.divisions({ country: "JP", types: "division", limit: 500 })) {
  console.log(id, properties.names.primary);
}
