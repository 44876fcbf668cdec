import { expect, test } from "vitest";
import { readTable } from "./index.ts";

const [degree, meter] = ['UNIT["Degree",0.0174532925199433]', 'UNIT["Meter",1.0]'];
const geographic = (datum: string, spheroid: string, rest = `PRIMEM["Greenwich",0.0],${degree}`) =>
  `GEOGCS["GCS",DATUM["${datum}",SPHEROID["S",${spheroid}]],${rest}]`;
const projected = (base: string, projection: string, parameters: Readonly<Record<string, number>>, rest = "") =>
  `PROJCS["P",${base},PROJECTION["${projection}"],${Object.entries(parameters)
    .map(([name, value]) => `PARAMETER["${name}",${value}]`)
    .join(",")},${meter}${rest}]`;
const [BESSEL, INTERNATIONAL, CLARKE] = ["6377397.155,299.1528128", "6378388.0,297.0", "6378249.2,293.466021293627"];
const rd = {
  False_Easting: 155000,
  False_Northing: 463000,
  Central_Meridian: 5.38763888888889,
  Scale_Factor: 0.9999079,
  Latitude_Of_Origin: 52.1561605555556,
};
const belge = {
  False_Easting: 150000.013,
  False_Northing: 5400088.438,
  Central_Meridian: 4.36748666666667,
  Standard_Parallel_1: 51.1666672333333,
  Standard_Parallel_2: 49.8333339,
  Latitude_Of_Origin: 90,
};
const mercator = (False_Easting: number, Central_Meridian: number, Scale_Factor: number) => ({
  False_Easting,
  False_Northing: 0,
  Central_Meridian,
  Scale_Factor,
  Latitude_Of_Origin: 0,
});
const lambert = { False_Easting: 600000, False_Northing: 2200000, Standard_Parallel_1: 52, Latitude_Of_Origin: 52 };
const grads = geographic("D_NTF", CLARKE, 'PRIMEM["Paris",2.33722917],UNIT["Grad",0.0157079632679489]');
const placed = async (crs: string, x: number, y: number) => {
  const { rows } = await readTable("a.csv", new TextEncoder().encode(`x,y\n${x},${y}\n`), {
    crs,
    lng: "x",
    lat: "y",
  });
  const { geometry } = rows[0] ?? {};
  if (geometry?.type !== "Point") throw new Error("no point");
  return geometry.coordinates.map((value) => Number(value.toFixed(6)));
};
const UTM30 = mercator(500000, -3, 0.9996);
const RD = projected(geographic("D_Amersfoort", BESSEL), "Double_Stereographic", rd);
const NZMG = projected(geographic("D_New_Zealand_1949", INTERNATIONAL), "New_Zealand_Map_Grid", {
  False_Easting: 2510000,
  False_Northing: 6023150,
  Longitude_Of_Origin: 173,
  Latitude_Of_Origin: -41,
});
test.each([
  ["RD New of Esri", RD, 155000, 463000, [5.387204, 52.155172]],
  ["RD New with a system of heights", `${RD},VERTCS["H",VDATUM["N"]]`, 155000, 463000, [5.387204, 52.155172]],
  ["RD New of OGC", RD.replace("D_A", "A").replace("Double", "Oblique"), 155000, 463000, [5.387204, 52.155172]],
  [
    "Belge Lambert 1972",
    projected(geographic("D_Belge_1972", INTERNATIONAL), "Lambert_Conformal_Conic", belge),
    150000,
    170000,
    [4.368752, 50.840411],
  ],
  [
    "ED 1950 UTM 30N",
    projected(geographic("D_European_1950", INTERNATIONAL), "Transverse_Mercator", UTM30),
    440000,
    4475000,
    [-3.708473, 40.421602],
  ],
  [
    "DHDN zone 3",
    projected(geographic("D_Deutsches_Hauptdreiecksnetz", BESSEL), "Gauss_Kruger", mercator(3500000, 9, 1)),
    3500000,
    5500000,
    [8.998964, 49.636711],
  ],
  [
    "grads with an EPSG code",
    projected(grads, "Lambert_Conformal_Conic_1SP", lambert, ',AUTHORITY["EPSG","27572"]'),
    600000,
    2428000,
    [2.336506, 48.850347],
  ],
  ["GGRS 1987, on GRS 80", geographic("D_GGRS_1987", "6378137.0,298.257222101"), 24, 38, [24.001704, 38.002595]],
  ["OSGB 1936", geographic("D_OSGB_1936", "6377563.396,299.3249646"), 0, 51, [-0.0016, 51.000571]],
  ["ETRS 1989", geographic("D_ETRS_1989", "6378137.0,298.257222101"), 9, 50, [9, 50]],
  ["a sphere", geographic("D_Sphere", "6371000.0,0.0"), 9, 50, [9, 50]],
  ["New Zealand's grid by code", "EPSG:27200", 2660000, 5990000, [174.790914, -41.28294]],
  ["New Zealand's grid of Esri", NZMG, 2660000, 5990000, [174.790914, -41.28294]],
  ["Korean 1985 by code", "EPSG:5174", 200000, 500000, [127.000784, 38.002746]],
  ["RD/83 by code", "EPSG:3398", 4500000, 5600000, [11.998503, 50.535765]],
  ["PD/83 by code", "EPSG:3397", 4400000, 5650000, [10.57464, 50.976536]],
  ["DB_REF with heights by code", "EPSG:5833", 3500000, 5600000, [8.998954, 50.535744]],
  ["Kertau (RSO) by code", "EPSG:3168", 400000, 300000, [101.595565, 2.710283]],
  ["a sphere by code", "EPSG:2163", 0, 0, [-100, 45]],
])("%s is transformed to degrees", async (_, crs, x, y, expected) => expect(await placed(crs, x, y)).toEqual(expected));
test.each([
  ["a datum without a known shift", geographic("D_Xian_1980", "6378140.0,298.257"), "use --crs with its EPSG code"],
  ["grads", projected(grads, "Lambert_Conformal_Conic", lambert), "has angles in Grad: use --crs with its EPSG code"],
  ["NAD27", geographic("D_North_American_1927", "6378206.4,294.978698213898"), "needs a grid: convert the file"],
  ["NAD27 by code", "EPSG:4267", "EPSG:4267 has the datum NAD27, whose shift to WGS 84 needs a grid"],
  ["a code without a known shift", "EPSG:4610", "EPSG:4610 has a datum whose shift to WGS 84 is not known: convert"],
  ["a code with a missing grid", "EPSG:22300", "EPSG:22300 cannot be transformed"],
  ["NAD27 of OGC", "OGC:CRS27", "EPSG:4267 has the datum NAD27, whose shift to WGS 84 needs a grid"],
])("%s is refused", async (_, crs, message) => await expect(placed(crs, 1, 2)).rejects.toThrow(message));

const stated = async (crs: object) => {
  const feature = { type: "Feature", properties: {}, geometry: { type: "Point", coordinates: [9, 50] } };
  const text = JSON.stringify({ type: "FeatureCollection", crs, features: [feature] });
  return (await readTable("a.geojson", new TextEncoder().encode(text))).crs;
};
test.each([
  ["urn:ogc:def:crs:EPSG::25832", "EPSG:25832"],
  ["urn:ogc:def:crs:EPSG:9.9.1:25832", "EPSG:25832"],
  ["urn:ogc:def:crs,crs:EPSG:6.3:25832", "EPSG:25832"],
  ["urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783", "EPSG:25832"],
  ["urn:ogc:def:crs:EPSG::25832,EPSG::5783", "EPSG:25832"],
  ["EPSG:25832+5783", "EPSG:25832"],
  ["http://www.opengis.net/gml/srs/epsg.xml#25832", "EPSG:25832"],
  ["http://www.opengis.net/def/crs/EPSG/0/25832", "EPSG:25832"],
  ["https://www.opengis.net/def/crs/EPSG/9.9.1/25832", "EPSG:25832"],
  ["http://spatialreference.org/ref/epsg/25832/", "EPSG:25832"],
  ["http://www.opengis.net/def/crs/OGC/1.3/CRS84", "EPSG:4326"],
  ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"],
  ["urn:ogc:def:crs:OGC:1.3:CRS83", "EPSG:4326"],
  ["urn:ogc:def:crs:OGC:2:84", "EPSG:4326"],
  ["WGS 84 (CRS84)", "EPSG:4326"],
  ["GCS_WGS_1984", "EPSG:4326"],
])("GeoJSON names %s", async (name, expected) => {
  expect(await stated({ type: "name", properties: { name } })).toBe(expected);
});
test.each([
  "http://spatialreference.org/ref/epsg/25832/proj4/",
  "https://epsg.io/25832.wkt",
  "https://www.opengis.net/def/crs/EPSG/0/25832",
])("GeoJSON links %s", async (href) => {
  expect(await stated({ type: "link", properties: { href, type: "proj4" } })).toBe("EPSG:25832");
});
test("a link without a code is refused", async () => {
  const crs = { type: "link", properties: { href: "http://example.com/crs/42" } };
  await expect(stated(crs)).rejects.toThrow("is only linked (http://example.com/crs/42): use --crs");
});
