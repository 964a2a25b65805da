/** A bucket, and the settings to access it. */
export interface S3Settings {
  readonly bucket: string;
  /** The base address of a server other than Amazon's. */
  readonly endpoint: string | undefined;
  /** Default: the region of the environment or the profile of Amazon's SDK. */
  readonly region: string | undefined;
  /** Default: the credentials that Amazon's SDK finds, for example from roles and profiles. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** The prefix of every key; empty, or with `/` at its end. */
  readonly prefix: string;
  /** Whether requests name the bucket in the path of a URL instead of its host name. */
  readonly forcePathStyle: boolean;
}
