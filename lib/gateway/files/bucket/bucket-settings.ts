import { Secret } from "../../secrets/secret";
import type { BucketSettings } from "./bucket";

/** `outputs` of the configuration file. */
export interface OutputsDraft {
  /** `s3://bucket/prefix` */
  readonly store: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string | undefined;
}

const DEFAULT_REGION = "us-east-1";

export function toBucketSettings(draft: OutputsDraft): BucketSettings {
  const { region = DEFAULT_REGION, endpoint = `https://s3.${region}.amazonaws.com` } = draft;
  const [bucket = "", ...prefix] = draft.store.replace(/^s3:\/\//, "").split("/");
  return {
    bucket,
    prefix: prefix.join("/"),
    endpoint: new URL(endpoint).origin,
    region,
    accessKeyId: draft.access_key_id,
    secretAccessKey: new Secret(draft.secret_access_key),
    sessionToken: draft.session_token === undefined ? null : new Secret(draft.session_token),
  };
}
