import { createHash, createHmac } from "node:crypto";

interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string | Uint8Array;
  /** `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary key. */
  readonly key: string;
  readonly atMs: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
/** Amazon's hosts name their service and region: `bedrock-runtime.eu-west-1.amazonaws.com`. */
const HOST = /^([a-z0-9]+)[a-z0-9-]*\.([a-z0-9-]+)\.(?:amazonaws\.com|api\.aws)/;

/** The headers that sign a request with its body (AWS Signature Version 4). */
export function signHeaders({ method, url, body, key, atMs }: UnsignedRequest): Record<string, string> {
  const [accessKeyId = "", secret = "", ...token] = key.split(":");
  const [, service = "bedrock", region = "us-east-1"] = HOST.exec(url.hostname) ?? [];
  const time = new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const scope = [time.slice(0, 8), region, service, "aws4_request"];
  const signed: Record<string, string> = {
    "x-amz-content-sha256": hash(body),
    "x-amz-date": time,
    ...(token.length > 0 && { "x-amz-security-token": token.join(":") }),
  };
  const fields = { host: url.host, ...signed };
  const names = Object.keys(fields).join(";");
  const path = url.pathname.split("/").map(encode).join("/");
  const lines = Object.entries(fields).map(([name, value]) => `${name}:${value}`);
  const canonical = [method, path, "", ...lines, "", names, signed["x-amz-content-sha256"]].join("\n");
  const text = [ALGORITHM, time, scope.join("/"), hash(canonical)].join("\n");
  const signing = scope.reduce<Buffer | string>(
    (before, part) => createHmac("sha256", before).update(part).digest(),
    `AWS4${secret}`,
  );
  const signature = createHmac("sha256", signing).update(text).digest("hex");
  const credential = `${accessKeyId}/${scope.join("/")}`;
  return {
    ...signed,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A segment is encoded once more as it stands in the address, as all services but S3 expect it. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
