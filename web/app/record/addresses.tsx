import type { Json } from "../../engine/contract/query.ts";
import { textsOf } from "../text/index.ts";

/** Postal addresses, as the source gives them. */
export function Addresses({ addresses }: { addresses: readonly Json[] }) {
  return (
    <>
      {addresses.map((address) => {
        const { freeform, locality, region, postcode, country } = textsOf(address);
        const lines = [freeform, [postcode, locality, region].filter(Boolean).join(" "), country].filter(Boolean);
        return (
          <address key={lines.join()} dir="auto">
            {lines.join(", ")}
          </address>
        );
      })}
    </>
  );
}
