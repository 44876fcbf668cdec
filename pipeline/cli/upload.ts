import type { Command } from "commander";
import { parseAddress } from "./address.ts";
import { formatBytes, formatCount } from "./figures.ts";
import { withTransfers } from "./progress.ts";
import { asUsage } from "./usage.ts";

interface UploadArguments {
  readonly endpoint?: string;
  readonly region?: string;
  readonly prune?: true;
  readonly all?: true;
}

/** Stores other than Amazon's mostly take any. */
const USUAL_REGION = "us-east-1";

export function registerUpload(program: Command): void {
  program
    .command("upload")
    .summary("put a site or a dataset into a bucket")
    .description(
      "Sends a folder to a bucket of S3, or of what speaks its interface: what is there already stays, what names other files " +
        "comes last, so that no reader sees half a release, and each file gets its media type and how long it may be kept. " +
        "Credentials are found as by Amazon's own programs: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, a role.",
    )
    .argument("<folder>", "folder of a site or of a dataset")
    .argument("<bucket>", "where to, as s3://bucket/folder")
    .option("--endpoint <url>", "of a store that is not Amazon's", parseAddress)
    .option("--region <name>", "of the bucket; AWS_REGION when left out")
    .option("--prune", "remove files of older releases at the end; pages that are open may want them still")
    .option("--all", "send files too that are there already, as after a change of their headers")
    .addHelpText("after", "\nExample:\n  cairn upload site s3://my-bucket/maps")
    .action(async (folder: string, to: string, { endpoint, region, prune, all }: UploadArguments) => {
      const { requireFolder } = await import("./serving.ts");
      const { openBucket, parseBucket, uploadFolder } = await import("../upload/index.ts");
      const bucket = openBucket({
        ...asUsage(() => parseBucket(to)),
        endpoint,
        region: region ?? process.env.AWS_REGION ?? USUAL_REGION,
      });
      await requireFolder(folder);
      const { sent, kept, older } = await withTransfers("sent", async ({ tell }) =>
        uploadFolder({
          folder,
          bucket,
          isPruned: prune,
          isWhole: all,
          onProgress: ({ bytes, totalBytes }) => tell({ type: "upload", bytes, total: totalBytes }),
        }),
      );
      const files = (count: number) => formatCount(count, "file");
      console.log(`${to}: ${files(sent.files)} sent, ${formatBytes(sent.bytes)}; ${kept.files} were there`);
      if (older.files === 0) return;
      const stay = prune ? "removed" : "stay: --prune removes them";
      console.log(`${files(older.files)} of older releases, ${formatBytes(older.bytes)}, ${stay}`);
    });
}
