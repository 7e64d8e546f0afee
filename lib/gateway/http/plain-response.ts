export type PlainHeaders = Readonly<Record<string, string>> | Headers;

export interface PlainInit {
  readonly status?: number;
  readonly headers: PlainHeaders;
}

/** `Response` without the native object that its constructor makes: everything that it offers is overridden below. */
const WithoutContents = function () {} as unknown as new () => Response;
WithoutContents.prototype = Response.prototype;

/**
 * A response that the gateway's own server writes from a record of headers, without the objects of the web API: making
 * and reading those takes 2 µs of a call, and more with many connections. What `Response` offers is made when somebody
 * asks for it. Native functions that take a `Response` apart, such as `Bun.serve`, refuse it: give them a `clone()`.
 */
export abstract class PlainResponse extends WithoutContents {
  readonly #init: PlainInit;
  #headers: Headers | null = null;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;

  constructor(init: PlainInit) {
    super();
    this.#init = init;
  }

  /** Makes the body as a stream. */
  protected abstract stream(): ReadableStream<Uint8Array<ArrayBuffer>>;

  /** The headers in the form in which they exist. */
  get plainHeaders(): PlainHeaders {
    return this.#headers ?? this.#init.headers;
  }

  /** Whether the body was asked for as a stream, which is its only source from then on. */
  get isStreamed(): boolean {
    return this.#body !== null;
  }

  override get status(): number {
    return this.#init.status ?? 200;
  }

  override get statusText(): string {
    return "";
  }

  override get type(): ResponseType {
    return "default";
  }

  override get url(): string {
    return "";
  }

  override get redirected(): boolean {
    return false;
  }

  override get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  override get headers(): Headers {
    this.#headers ??= new Headers(this.#init.headers as Record<string, string>);
    return this.#headers;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#body ??= this.stream();
    return this.#body;
  }

  override get bodyUsed(): boolean {
    return this.#body?.locked ?? false;
  }

  override bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Response(this.body).bytes();
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.bytes()).buffer;
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }

  override formData(): ReturnType<Response["formData"]> {
    return new Response(this.body, { headers: this.headers }).formData();
  }

  override clone(): Response {
    const [own, other] = this.body.tee();
    this.#body = own;
    return new Response(other, { status: this.status, headers: this.headers });
  }
}
