import { expect, test } from "vitest";
import { attributionFileName, exportFileName } from "./file-name.ts";

test("a file has the words of the search", () => {
  expect(exportFileName(["Cafe", "1 km around Boulder"], "spreadsheet")).toBe("Cafe-1-km-around-Boulder.csv");
  expect(exportFileName(["Places", "1 km around 40.0165, -105.271"], "geojson")).toBe(
    "Places-1-km-around-40.0165-105.271.geojson",
  );
  expect(exportFileName(["“../etc/passwd”", "東京"], "gpx")).toBe("etc-passwd-東京.gpx");
  expect(exportFileName(["…"], "csv")).toBe("export.csv");
  expect(exportFileName(["a".repeat(300)], "csv")).toHaveLength(84);
});

test("the file of sources is named after the export, also if the user renamed it", () => {
  expect(attributionFileName("my shops.v2.geojson")).toBe("my shops.v2-sources.txt");
  expect(attributionFileName("shops")).toBe("shops-sources.txt");
});
