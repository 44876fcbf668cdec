/**
 * Sections of the points of a partition, as nodes that are planned and read like partitions.
 * @module
 */
import type { LocationNode, PartitionNode } from "../../../data/format/manifest.ts";
import { type PointSection, readSections } from "../../../data/format/point-sections.ts";
import { ManifestError } from "../contract/errors.ts";
import type { PartitionRef } from "./tree.ts";

/** A section: `rows` and `bbox` are its own, all other members those of its partition. */
export interface SectionNode extends LocationNode {
  readonly section: PointSection;
  readonly whole: LocationNode;
}

const known = new WeakMap<LocationNode, readonly LocationNode[]>();

/**
 * Returns a node for each section of the partition, or the partition itself if it has only one. Throws `ManifestError` if the index
 * describes them wrongly.
 */
export function sectionsOf(node: LocationNode): readonly LocationNode[] {
  if (node.points.sections === undefined) return [node];
  const found = known.get(node) ?? openSections(node);
  known.set(node, found);
  return found;
}

function openSections(whole: LocationNode): readonly LocationNode[] {
  try {
    return readSections(whole).map(
      (section): SectionNode => ({ ...whole, rows: section.rows, bbox: section.bbox, section, whole }),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ManifestError(`the index has wrong sections of points: ${reason}`, { cause });
  }
}

/** Whether the node is a section. */
export function isSection(node: PartitionNode): node is SectionNode {
  return "section" in node;
}

/** Returns the partition of a section; a partition itself. */
export function wholeOf(ref: PartitionRef<"location">): PartitionRef<"location"> {
  return isSection(ref.node) ? { ...ref, node: ref.node.whole } : ref;
}

/** Returns the index in the partition of the first row of a node. */
export function firstRowOf(node: LocationNode): number {
  return isSection(node) ? node.section.firstRow : 0;
}

/** Returns a key of a partition or a section. Two partitions can have equal points. */
export function partitionKey(node: PartitionNode): string {
  return isSection(node) ? `${node.sha256} ${node.section.index}` : node.sha256;
}
