/** A bucket, and how to come to it. */
export interface S3Settings {
  readonly bucket: string;
  /** Base address of a server other than Amazon's. */
  readonly endpoint: string | undefined;
  /** Absent: by the environment or the profile of Amazon's SDK. */
  readonly region: string | undefined;
  /** Absent: by Amazon's SDK, which knows roles and profiles. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Begins every key; empty or with `/` at its end. */
  readonly prefix: string;
  /** Whether the bucket is named in the path of an address and not in its host. */
  readonly forcePathStyle: boolean;
}
