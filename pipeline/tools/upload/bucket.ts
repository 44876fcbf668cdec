/**
 * Files in a folder of a bucket, in S3 or a compatible store.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API @module
 */
import { createReadStream } from "node:fs";
import { DeleteObjectsCommand, paginateListObjectsV2, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { CodedError } from "../../base/errors/index.ts";

interface BucketAddress {
  readonly bucket: string;
  /** The folder as prefix of all keys: empty, or with `/` at its end. */
  readonly prefix: string;
}

/** Returns the bucket and folder of an address such as `s3://bucket/folder`. Throws for another text. */
export function parseBucket(text: string): BucketAddress {
  const [, bucket, folder = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (!bucket) throw new CodedError("CAIRN_E_VALUE", `expected a bucket such as s3://my-bucket/maps, got ${text}`);
  const names = folder.split("/").filter((name) => name !== "");
  return { bucket, prefix: names.map((name) => `${name}/`).join("") };
}

export interface StoredFile {
  /** Path relative to the folder in the bucket. */
  readonly path: string;
  readonly bytes: number;
  /** ETag of the file: its MD5 in hexadecimal, unless it was sent in parts or the store computes another one. */
  readonly tag: string;
}

interface FileToStore {
  readonly path: string;
  /** Path of the file on the disk. */
  readonly from: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Files in one folder of a bucket. Each method throws errors with the bucket and the store's message. */
export interface Bucket {
  readonly list: () => Promise<StoredFile[]>;
  /** Stores a file. A large file is sent in parts with a SHA-256 each, and is visible when all parts are stored. */
  readonly put: (file: FileToStore) => Promise<void>;
  readonly remove: (paths: readonly string[]) => Promise<void>;
}

interface BucketOptions extends BucketAddress {
  /** Address of an S3-compatible store. Default: Amazon S3. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly attempts?: number | undefined;
}

// The SDK's version is pinned, so warnings about future Node versions do not concern the user.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

/** Bytes of a part. S3 wants at least 5 MiB, except for the last part. */
const PART_BYTES = 8 * 2 ** 20;

const REMOVED_AT_A_TIME = 1000;

/**
 * Returns access to a folder of a bucket without a request. Credentials are found as the AWS CLI does: environment
 * variables, files of the user, role of the machine.
 */
export function openBucket({ bucket, prefix, endpoint, region, attempts = 5 }: BucketOptions): Bucket {
  const client = new S3Client({
    region,
    maxAttempts: attempts,
    // Other stores reject the checksums that newer clients send by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const address = `s3://${bucket}/${prefix}`;

  async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const said = cause instanceof S3ServiceException ? `${cause.name}: ${cause.message}` : (cause as Error).message;
      throw new CodedError("CAIRN_E_UPLOAD", `${address}${what}: ${said}`, { cause });
    }
  }

  return {
    list: () =>
      explained("", async () => {
        const files: StoredFile[] = [];
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
          for (const { Key = "", Size = 0, ETag = "" } of Contents)
            files.push({ path: Key.slice(prefix.length), bytes: Size, tag: ETag.replaceAll('"', "") });
        }
        return files;
      }),
    put: ({ path, from, contentType, cacheControl }) =>
      explained(path, async () => {
        const params = {
          Bucket: bucket,
          Key: prefix + path,
          Body: createReadStream(from, { highWaterMark: PART_BYTES }),
          ContentType: contentType,
          CacheControl: cacheControl,
          ChecksumAlgorithm: "SHA256" as const,
        };
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done();
      }),
    remove: async (paths) => {
      for (let start = 0; start < paths.length; start += REMOVED_AT_A_TIME) {
        const Objects = paths.slice(start, start + REMOVED_AT_A_TIME).map((path) => ({ Key: prefix + path }));
        const { Errors: [first] = [] } = await explained("", () =>
          client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })),
        );
        if (first)
          throw new CodedError(
            "CAIRN_E_UPLOAD",
            `${address}: ${first.Key} was not removed: ${first.Code}: ${first.Message}`,
          );
      }
    },
  };
}
