import type { Command } from "commander";
import { formatBytes, formatCount } from "../figures.ts";
import { parseAddress } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";
import { withTransfers } from "../progress.ts";
import { asUsage } from "../usage.ts";

interface UploadArguments extends JsonArguments {
  readonly endpoint?: string;
  readonly region?: string;
  readonly prune?: true;
  readonly all?: true;
}

/** Most other S3-compatible stores accept any region. */
const USUAL_REGION = "us-east-1";

/** Registers `cairn upload`. */
export function registerUpload(program: Command): void {
  const command = program
    .command("upload")
    .summary("upload a site or a dataset to an S3 bucket")
    .description(
      "Upload a site or a dataset to an S3 bucket. Files that are there are not sent again. Uses the credentials of the AWS CLI.",
    )
    .argument("<folder>", "folder of a site or a dataset")
    .argument("<bucket>", "target, as s3://bucket/folder")
    .option("--endpoint <url>", "address of an S3-compatible store", parseAddress)
    .option("--region <name>", "region of the bucket (default: AWS_REGION)")
    .option("--prune", "remove files of older releases at the end")
    .option("--all", "send existing files again, to change their headers");
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn upload site s3://my-bucket/maps")
    .action(async (folder: string, to: string, { endpoint, region, prune, all, json }: UploadArguments) => {
      const output = openOutput({ json });
      const { requireFolder } = await import("../serving.ts");
      const { openBucket, parseBucket } = await import("../../tools/upload/bucket.ts");
      const { uploadFolder } = await import("../../tools/upload/upload.ts");
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
      output.result({ to, sent, unchanged: kept, older, is_pruned: prune === true });
      output.say(`${to}: ${files(sent.files)} sent, ${formatBytes(sent.bytes)}; ${kept.files} unchanged`);
      if (older.files === 0) return;
      const stay = prune ? "removed" : "not removed (use --prune)";
      output.say(`${files(older.files)} of older releases, ${formatBytes(older.bytes)}, ${stay}`);
    });
}
