import { expect, test } from "vitest";
import { postalLines, readableCase } from "./address-line.ts";

test("lines of an address are in the order of the country", () => {
  const boulder = { street: "1855 Goss St", locality: "Boulder", region: "CO", postcode: "80302" };
  expect(postalLines("US", boulder)).toEqual(["1855 Goss St", "Boulder, CO 80302"]);
  const paris = { street: "5 Rue de la Paix", locality: "Paris", postcode: "75002" };
  expect(postalLines("FR", paris)).toEqual(["5 Rue de la Paix", "75002 Paris"]);
  expect(postalLines("GB", { street: "1 High St", locality: "Leeds", postcode: "LS1 4DY" })).toEqual([
    "1 High St",
    "Leeds, LS1 4DY",
  ]);
  expect(
    postalLines("JP", { street: "丸の内1-1", locality: "千代田区", region: "東京都", postcode: "100-0005" }),
  ).toEqual(["100-0005", "東京都 千代田区 丸の内1-1"]);
  expect(postalLines("JP", { locality: "Tokyo", postcode: "100-0005" })).toEqual(["100-0005 Tokyo"]);
  expect(postalLines("DE", { locality: "Berlin", region: "Berlin", postcode: "10117" })).toEqual(["10117 Berlin"]);
  expect(postalLines(undefined, {})).toEqual([]);
});

test("text in capitals becomes readable, other text stays", () => {
  expect(readableCase("GOSS ST", "US")).toBe("Goss St");
  expect(readableCase("18TH ST NE", "US")).toBe("18th St NE");
  expect(readableCase("CANYON BLVD", "US")).toBe("Canyon Blvd");
  expect(readableCase("JFK BLVD", "US")).toBe("JFK Blvd");
  expect(readableCase("RUE DE LA RÉPUBLIQUE", "FR")).toBe("Rue de la République");
  expect(readableCase("ΛΕΩΦΟΡΟΣ", "GR")).toBe("Λεωφορος");
  expect(readableCase("US 36", "US")).toBe("US 36");
  expect(readableCase("Rue de la Lüjerneta", "MC")).toBe("Rue de la Lüjerneta");
});
