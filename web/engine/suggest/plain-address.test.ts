import { expect, test } from "vitest";
import { addressTextOf } from "./address-words.ts";
import { splitJapaneseAddress } from "./japanese-address.ts";
import { plainAddressOf } from "./plain-address.ts";
import { agreesWithRegion } from "./regions.ts";

test.each([
  ["Appt 4, 2e étage, 15 Rue de la Paix, 69001 LYON CEDEX 02", ["2e", "etage", "cedex", "02"], []],
  ["Hauptstr. 12, 3. Stock, 10115 Berlin", ["3", "stock"], []],
  ["C/ Mayor 38, 3º B, 28001 Madrid", ["3o", "b"], []],
  ["Via Roma 15, int. 4, scala B, 20121 Milano (MI)", ["scala", "b"], ["mi"]],
  ["1345 Spruce St, Boulder, CO 80302", [], ["co"]],
  ["1345 Spruce St, Boulder, Colorado 80302-1234", [], ["colorado"]],
  ["Rua 1º de Maio, 117, Curitiba/PR, CEP 80010-100", [], ["pr"]],
  ["Rua das Flores, 117, São Paulo", [], []],
  ["12 rue de la Paix", [], []],
  ["Unter den Linden 5", [], []],
])("%j has these extras and regions", (text, extras, regions) => {
  const plain = plainAddressOf(text);
  expect(plain.extras).toEqual(extras);
  expect(plain.regions).toEqual(regions);
});

test.each([
  ["12 MG Road, Bengaluru 560 001", "560001"],
  ["Dorpsstraat 12, 1012 AB Amsterdam", "1012ab"],
  ["1345 Spruce St, Boulder, CO 80302-1234", "80302"],
])("%j has the postcode %j", (text, postcode) => {
  expect(addressTextOf(text)?.numbers).toContain(postcode);
});

test("the number after a unit word is the last guess", () => {
  expect(addressTextOf("Flat No. 4, 12 Church Lane, Leeds")?.readings.map(({ number }) => number)).toEqual([
    "12",
    "4",
    "4-12",
  ]);
  expect(addressTextOf("No. 12, 2nd Floor, Church Lane")?.readings.map(({ number }) => number)).toEqual(["12"]);
});

test.each([
  ["〒100-0005 東京都千代田区丸の内1丁目9-1", "丸の内一丁目 9-1 千代田区 100-0005", "東京都"],
  ["東京都千代田区丸の内1-9-1", "丸の内一丁目 9-1 千代田区", "東京都"],
  ["横浜市西区緑町二丁目３番４号", "緑町二丁目 3-4 横浜市西区", ""],
  ["北海道札幌市中央区北1条西12丁目3-4", "北一条西十二丁目 3-4 札幌市中央区", "北海道"],
  ["東京都 千代田区 丸の内二丁目 4-12 緑ビル 5階", "丸の内二丁目 4-12 千代田区", "東京都"],
])("%j is split", (text, parts, prefecture) => {
  expect(splitJapaneseAddress(text)).toEqual({ text: parts, prefecture });
});

test("other texts are no Japanese addresses", () => {
  for (const text of ["東京都", "東京タワー", "1345 Spruce St", "大阪 ホテル", "丸".repeat(500)])
    expect(splitJapaneseAddress(text)).toBeUndefined();
});

test("a region agrees with its code, its name and a row that names none", () => {
  expect(agreesWithRegion("colorado", "US", ["CO", "BOULDER"])).toBe(true);
  expect(agreesWithRegion("co", "US", ["Boulder", "Colorado"])).toBe(true);
  expect(agreesWithRegion("co", "US", ["Boulder"])).toBe(true);
  expect(agreesWithRegion("co", "US", ["Boulder", "UT"])).toBe(false);
  expect(agreesWithRegion("co", "BR", ["Curitiba"])).toBe(false);
  expect(agreesWithRegion("mi", "IT", ["Lombardia", "Milano"])).toBe(true);
});
