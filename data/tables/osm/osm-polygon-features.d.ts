declare module "osm-polygon-features" {
  const rules: readonly {
    readonly key: string;
    readonly polygon: "all" | "whitelist" | "blacklist";
    readonly values?: readonly string[];
  }[];
  export default rules;
}
