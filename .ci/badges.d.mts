export const BADGES: string;
export function badgesOf(about: { readonly version: string; readonly license: string }): Record<string, string>;
export function writeBadges(): string[];
