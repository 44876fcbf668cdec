/** Where the reader was when they asked for it last. @module */
import { signal } from "@preact/signals";
import type { Centre } from "../address/index.ts";

export const readerPlace = signal<Centre | undefined>(undefined);
