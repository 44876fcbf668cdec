import { expect, test } from "vitest";
import { addressFit, addressTextOf, normalNumber, numbersOf, shownStreet } from "./address-words.ts";

const numbersIn = (text: string) => addressTextOf(text)?.readings.map(({ number }) => number);

test("lists the words with a digit that can be a house number, the most likely first", () => {
  expect(numbersIn("1600 pearl")).toEqual(["1600"]);
  expect(numbersIn("80302 1600 pearl")?.[0]).toBe("1600");
  expect(numbersIn("12 bis rue de la Turbie")).toEqual(["12", "12bis"]);
  expect(numbersIn("5-7 rue Plati")).toContain("5-7");
  expect(numbersIn("1600 28th street")).toEqual(["1600"]);
  for (const text of ["pearl street", "28th street", "80302", "12 b", "quai antoine 1er"])
    expect(numbersIn(text)).toBeUndefined();
});

test("a number is the same in all spellings, and a range includes each of its houses", () => {
  expect(["12 Bis", "12bis", "12-bis"].map(normalNumber)).toEqual(["12bis", "12bis", "12bis"]);
  expect(normalNumber("5 7")).not.toBe(normalNumber("57"));
  expect(numbersOf("7;9")).toEqual(["7-9", "7", "9"]);
});

const row = { street: "PEARL ST", number: "1600", unit: "APT 3", postcode: "80302", places: ["BOULDER", "CO"] };
const fitOf = (text: string, street = row.street) => addressFit({ ...row, street }, text.split(" "), [])?.name ?? 0;

test("short forms equal their long forms, but not other names", () => {
  for (const text of ["pearl st", "pearl street", "st pearl", "boulder co pearl street 80302"])
    expect(fitOf(text)).toBe(1);
  expect(fitOf("av princesse grace", "Avenue Princesse Grace")).toBe(1);
  expect(fitOf("haupstr")).toBe(0);
  expect(fitOf("hauptstr", "Hauptstraße")).toBe(1);
  expect(fitOf("pearl")).toBeGreaterThan(fitOf("pear"));
  expect(fitOf("pearl")).toBeGreaterThan(fitOf("pearl pkwy"));
  for (const text of ["spruce st", "street", "pearl denver"]) expect(fitOf(text)).toBe(0);
});

test("names in capitals are shown in mixed case", () => {
  expect(["PEARL ST", "11TH ST", "D'ARMES", "Rue Basse"].map(shownStreet)).toEqual([
    "Pearl St",
    "11th St",
    "D'armes",
    "Rue Basse",
  ]);
});
