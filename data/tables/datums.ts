/** Datums and their shifts to WGS 84. @see https://epsg.org/ @module */

/** Code of the geographic system with a known shift, names of its datum in EPSG and at Esri. */
const DATUMS = `
3819 Hungarian Datum 1909
3906 MGI 1901
4121 Greek Geodetic Reference System 1987, GGRS 1987
4123 Kartastokoordinaattijarjestelma (1966), KKJ
4124 Rikets koordinatsystem 1990, RT90, RT 1990
4125 Samboja P2 exc T9
4127 Tete
4129 Observatario
4131 Indian 1960
4132 Final Datum 1958, FD 1958
4134 PDO Survey Datum 1993, PDO 1993
4135 Old Hawaiian
4139 Puerto Rico
4141 Israel 1993, Israel
4142 Locodjo 1965
4143 Abidjan 1987
4144 Kalianpur 1937
4145 Kalianpur 1962
4146 Kalianpur 1975
4147 Hanoi 1972
4149 CH1903
4150 CH1903+
4153 Rassadiran
4154 European Datum 1950(1977), European 1950 ED77
4155 Dabola 1981
4156 System of the Unified Trigonometrical Cadastral Network, S-JTSK, System Jednotne trigonometricke site katastralni
4158 Naparima 1955
4159 European Libyan Datum 1979, European Libyan 1979
4161 Pampa del Castillo
4164 South Yemen
4165 Bissau
4168 Accra
4169 American Samoa 1962
4175 Sierra Leone 1968
4178 Pulkovo 1942(83), Pulkovo 1942 Adj 1983
4179 Pulkovo 1942(58), Pulkovo 1942 Adj 1958
4181 Luxembourg Reference Frame, Luxembourg 1930
4182 Azores Occidental Islands 1939
4183 Azores Central Islands 1948
4184 Azores Oriental Islands 1940
4188 OSNI 1952
4191 Albanian 1987
4192 Douala 1948
4193 Manoca 1962
4194 Qornoq 1927
4195 Scoresbysund 1952
4196 Ammassalik 1958
4200 Pulkovo 1995
4201 Adindan
4202 Australian Geodetic Datum 1966, AGD66, Australian 1966
4203 Australian Geodetic Datum 1984, AGD84, Australian 1984
4204 Ain el Abd 1970, Ain el Abd
4205 Afgooye
4207 Lisbon 1937, Lisbon
4208 Aratu
4209 Arc 1950
4210 Arc 1960
4211 Batavia
4212 Barbados 1938
4213 Beduaram
4214 Beijing 1954
4216 Bermuda 1957
4218 Bogota 1975
4219 Bukit Rimpah
4220 Camacupa 1948, Camacupa
4221 Campo Inchauspe
4222 Cape
4223 Carthage
4224 Chua
4225 Corrego Alegre 1970-72
4227 Deir ez Zor
4229 Egypt 1907
4230 European Datum 1950, ED50, European 1950
4231 European Datum 1987, European 1987
4232 Fahud
4233 Gandajika 1970
4236 Hu Tzu Shan 1950, Hu Tzu Shan
4237 Hungarian Datum 1972, Hungarian 1972
4238 Indonesian Datum 1974, Indonesian 1974
4239 Indian 1954
4240 Indian 1975
4242 Jamaica 1969, JAD69
4244 Kandawala
4245 Kertau 1968, Kertau
4246 Kuwait Oil Company
4247 La Canoa
4248 Provisional South American Datum 1956, PSAD56, Provisional S American 1956
4250 Leigon
4251 Liberia 1964
4253 Luzon 1911
4254 Hito XVIII 1963
4255 Herat North
4256 Mahe 1971
4257 Makassar
4259 Malongo 1987
4260 Manoca
4261 Merchich
4262 Massawa
4263 Minna
4265 Monte Mario
4266 M'poraloko
4270 Nahrwan 1967
4271 Naparima 1972
4272 New Zealand Geodetic Datum 1949, NZGD49, New Zealand 1949
4273 NGO 1948
4274 Datum 73
4275 Nouvelle Triangulation Francaise, NTF
4277 Ordnance Survey of Great Britain 1936, OSGB36, OSGB 1936
4281 Palestine 1923
4282 Congo 1960 Pointe Noire
4284 Pulkovo 1942
4285 Qatar 1974, Qatar
4287 Qornoq
4289 Amersfoort
4292 Sapper Hill 1943
4294 Segora
4297 Tananarive 1925, Tananarive
4298 Timbalai 1948, Timbalai 1968
4299 TM65, ire65
4300 Geodetic Datum of 1965, TM75
4301 Tokyo
4304 Voirol 1875
4307 Nord Sahara 1959
4309 Yacare
4310 Yoff
4311 Zanderij
4312 Militar-Geographische Institut, MGI, hermannskogel, Militar Geographische Institute
4313 Reseau National Belge 1972, Belge 1972
4314 Deutsches Hauptdreiecksnetz, DHDN, potsdam
4315 Conakry 1905
4316 Dealul Piscului 1930, Dealul Piscului 1933
4317 Dealul Piscului 1970
4318 National Geodetic Network
4319 Kuwait Utility
4322 World Geodetic System 1972, WGS 1972
4324 WGS 72 Transit Broadcast Ephemeris, WGS 1972 BE
4475 Cadastre 1997
4601 Antigua 1943
4602 Dominica 1945
4603 Grenada 1953
4604 Montserrat 1958
4605 St. Kitts 1955
4606 St. Lucia 1955
4607 St. Vincent 1945
4611 Hong Kong 1980
4613 Gunung Segara
4614 Qatar National Datum 1995, QND 1995
4615 Porto Santo 1936
4616 Selvagem Grande
4618 South American Datum 1969, South American 1969, SAD69
4620 Point 58
4621 Fort Marigot
4622 Guadeloupe 1948, Sainte Anne
4623 Centre Spatial Guyanais 1967, CSG 1967
4625 Martinique 1938, Fort Desaix
4626 Reunion 1947, Piton des Neiges
4628 Tahiti 52, Tahiti 1952
4629 Tahaa 54, Tahaa 1954
4630 IGN72 Nuku Hiva
4631 K0 1949
4632 Combani 1950
4633 IGN56 Lifou
4636 Petrels 1972
4637 Pointe Geologie Perroud 1950
4638 Saint Pierre et Miquelon 1950
4639 MOP78
4641 IGN53 Mare
4642 ST84 Ile des Pins
4643 ST71 Belep
4644 NEA74 Noumea
4645 Reseau Geodesique Nouvelle Caledonie 1991, RGNC 1991
4646 Grand Comoros
4657 Reykjavik 1900
4658 Hjorsey 1955
4660 Helle 1954
4662 IGN72 Grande Terre
4663 Porto Santo 1995
4664 Azores Oriental Islands 1995
4665 Azores Central Islands 1995
4666 Lisbon 1890
4668 European Datum 1979, European 1979
4672 Chatham Islands Datum 1971, Chatham Island 1971
4673 Chatham Islands Datum 1979, Chatham Islands 1979
4675 Guam 1963
4678 Lao National Datum 1997
4679 Jouik 1961
4680 Nouakchott 1965
4682 Gulshan 303
4683 Philippine Reference System 1992
4684 Gan 1970
4688 Fatu Iva 72, Fatu Iva 1972
4689 IGN63 Hiva Oa
4690 Tahiti 79, Tahiti 1979
4691 Moorea 87, Moorea 1987
4692 Maupiti 83, Maupiti 1983
4695 Katanga 1955
4698 IGN 1962 Kerguelen, Kerguelen Island 1949
4699 Le Pouce 1934
4701 Institut Geographique du Congo Belge 1955
4706 Egypt Gulf of Suez S-650 TL
4707 Tern Island 1961
4708 Cocos Islands 1965, Anna 1 1965
4709 Iwo Jima 1945, Beacon E 1945
4710 Astro DOS 71, DOS 71 4
4711 Marcus Island 1952, Astro 1952
4712 Ascension Island 1958
4713 Ayabelle Lighthouse, Ayabelle
4714 Bellevue
4715 Camp Area Astro, Camp Area
4716 Phoenix Islands 1966, Canton 1966
4717 Cape Canaveral
4718 Solomon 1968
4719 Easter Island 1967
4720 Fiji Geodetic Datum 1986
4721 Fiji 1956
4722 South Georgia 1968, ISTS 061 1968
4723 Grand Cayman Geodetic Datum 1959
4724 Diego Garcia 1969, ISTS 073 1969
4725 Johnston Island 1961
4726 Sister Islands Geodetic Datum 1961, Little Cayman 1961
4727 Midway 1961
4728 Pico de las Nieves 1984, Pico de Las Nieves
4729 Pitcairn 1967
4730 Santo 1965, Santo DOS 1965
4731 Viti Levu 1916
4732 Marshall Islands 1960, Wake Eniwetok 1960
4733 Wake Island 1952
4734 Tristan 1968
4735 Kusaie 1951
4736 Deception Island
4739 Hong Kong 1963(67)
4740 Parametry Zemli 1990, Parametrop Zemp 1990
4743 Karbala 1979
4744 Nahrwan 1934
4750 ST87 Ouvea
4754 Libyan Geodetic Datum 2006
4756 Vietnam 2000, VN-2000
4801 CH1903 (Bern)
4802 Bogota 1975 (Bogota)
4803 Lisbon 1937 (Lisbon)
4804 Makassar (Jakarta)
4805 Militar-Geographische Institut (Ferro)
4806 Monte Mario (Rome)
4807 Nouvelle Triangulation Francaise (Paris)
4810 Tananarive 1925 (Paris)
4811 Voirol 1875 (Paris)
4813 Batavia (Jakarta)
4816 Carthage (Paris)
4817 NGO 1948 (Oslo)
4818 System of the Unified Trigonometrical Cadastral Network (Ferro)
4819 Nord Sahara 1959 (Paris)
4820 Gunung Segara (Jakarta)
4904 Lisbon 1890 (Lisbon)
5228 System of the Unified Trigonometrical Cadastral Network/05, S-JTSK/05
5229 System of the Unified Trigonometrical Cadastral Network/05 (Ferro)
5233 Sri Lanka Datum 1999
5451 Ocotepeque 1935
5527 South American Datum 1969(96)
5561 Ukraine 2000
6207 Nepal 1981, Nepal Nagarkot
6311 Cyprus Geodetic Reference System 1993
6881 Aden 1925
6882 Bekaa Valley 1920
6883 Bioko
6892 South East Island 1943
6894 Gambia
4162 Korean Datum 1985
4745 Rauenberg Datum/83, RD/83
4746 Potsdam Datum/83, PD/83
4751 Kertau (RSO)
5681 Deutsche Bahn Reference System, DB_REF
`;

/**
 * Shifts that the list of EPSG codes lacks, as the EPSG registry has them: translations in metres, rotations in seconds
 * of arc, scale in parts per million; then the codes with the datum.
 */
const SHIFTS: readonly (readonly [string, readonly number[]])[] = [
  // Korean 1985
  [
    "-114.62,475.963,675.018,1.162,-2.347,-1.592,6.342",
    [4162, 2096, 2097, 2098, 5167, 5168, 5173, 5174, 5175, 5176, 5177, 5178],
  ],
  // RD/83
  ["612.4,77,440.2,-0.054,0.057,-2.797,2.55", [4745, 3398, 3399, 5668, 5669]],
  // PD/83
  ["599.4,72.4,419.2,-0.062,-0.022,-2.723,6.46", [4746, 3396, 3397, 5666, 5667]],
  // Kertau (RSO)
  ["-11,851,5,0,0,0,0", [4751, 3167, 3168]],
  // DB_REF
  ["584.9636,107.7175,413.8067,1.1155,0.2824,-3.1384,7.9922", [5681, 5682, 5683, 5684, 5685, 5832, 5833, 5834, 5835]],
];

const SHIFT_OF_CODE = new Map(SHIFTS.flatMap(([shift, codes]) => codes.map((code) => [code, shift] as const)));

/** Returns the parameters of `+towgs84` for an EPSG code without them in the list. Undefined if they are not known. */
export function shiftOfCode(code: number): string | undefined {
  return SHIFT_OF_CODE.get(code);
}

const CODES = new Map(
  [...DATUMS.matchAll(/^(\d+) (.+)$/gm)].flatMap(([, code, names = ""]) =>
    names.split(", ").map((name) => [normalized(name), Number(code)] as const),
  ),
);

/** Returns the EPSG code of the geographic system of a datum, which well-known text names. Undefined if it is not known. */
export function codeOfDatum(name: string): number | undefined {
  return CODES.get(normalized(name));
}

/** `D_Belge_1972` and `Belge 1972` are the same name. */
function normalized(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/^d_/, "")
    .replace(/[^a-z0-9+]/g, "");
}
