declare module "virtual:element-text" {
  const texts: Readonly<
    Record<
      import("../../../data/format/languages.ts").Language,
      Readonly<Record<import("../../map/element-keys.ts").ElementKey, string>>
    >
  >;
  export default texts;
}
