/** The value of a JSON text that may still be growing. */
interface PartialJson {
  /** The value so far, with open strings, arrays and objects closed. Undefined before the first value begins. */
  readonly value: unknown;
  /** JSON pointers of the values that haven't ended yet. */
  readonly open: ReadonlySet<string>;
  /** The position of the first character that can't be JSON; null if the text can still become valid. */
  readonly brokenAt: number | null;
}

class End extends Error {}
class Broken extends Error {}

const LITERALS = { t: ["true", true], f: ["false", false], n: ["null", null] } as const;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_BEGUN = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?/y;
const MAX_DEPTH = 200;

/** Parses the beginning of a JSON text. Complete text gives the same value as `JSON.parse`, with nothing open. */
export function parsePartialJson(text: string): PartialJson {
  const reader = new PartialReader(text);
  return reader.read();
}

class PartialReader {
  #at = 0;
  readonly #open = new Set<string>();

  constructor(private readonly text: string) {}

  read(): PartialJson {
    let value: unknown;
    try {
      this.#value("", 0, (begun) => {
        value = begun;
      });
      this.#space();
      if (this.#at < this.text.length) throw new Broken();
    } catch (error) {
      if (error instanceof Broken) return { value, open: this.#open, brokenAt: this.#at };
      if (!(error instanceof End)) throw error;
    }
    return { value, open: this.#open, brokenAt: null };
  }

  /** Stores a value in its parent as soon as it begins, and again when it has changed. */
  #value(location: string, depth: number, put: (value: unknown) => void): void {
    this.#space();
    const first = this.#peek();
    if (depth > MAX_DEPTH) throw new Broken();
    this.#open.add(location);
    if (first === "{") this.#object(location, depth, put);
    else if (first === "[") this.#array(location, depth, put);
    else if (first === '"') this.#string(put);
    else if (Object.hasOwn(LITERALS, first)) this.#literal(first as keyof typeof LITERALS, put);
    else this.#number(put);
    this.#open.delete(location);
  }

  #object(location: string, depth: number, put: (value: unknown) => void): void {
    const object: Record<string, unknown> = {};
    put(object);
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      this.#space();
      if (this.#peek() === "}" && isFirst) break;
      let name = "";
      if (this.#peek() !== '"') throw new Broken();
      this.#string((text) => {
        name = text;
      });
      this.#space();
      this.#expect(":");
      this.#value(`${location}/${escapeName(name)}`, depth + 1, (value) => define(object, name, value));
      this.#space();
      if (this.#peek() === "}") break;
      this.#expect(",");
    }
    this.#at++;
  }

  #array(location: string, depth: number, put: (value: unknown) => void): void {
    const array: unknown[] = [];
    put(array);
    this.#at++;
    this.#space();
    if (this.#peek() !== "]") {
      for (;;) {
        const index = array.length;
        this.#value(`${location}/${index}`, depth + 1, (value) => {
          array[index] = value;
        });
        this.#space();
        if (this.#peek() === "]") break;
        this.#expect(",");
      }
    }
    this.#at++;
  }

  #string(put: (value: string) => void): void {
    const start = this.#at;
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    const isWhole = end < this.text.length;
    const inside = this.text.slice(start + 1, end);
    // An incomplete escape is left out until the rest of it has arrived.
    const whole = isWhole ? inside : inside.replace(/(^|[^\\])((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1$2");
    try {
      put(JSON.parse(`"${whole}"`) as string);
    } catch {
      throw new Broken();
    }
    this.#at = Math.min(end + 1, this.text.length);
    if (!isWhole) throw new End();
  }

  #literal(first: keyof typeof LITERALS, put: (value: unknown) => void): void {
    const [word, value] = LITERALS[first];
    const arrived = this.text.slice(this.#at, this.#at + word.length);
    if (!word.startsWith(arrived)) throw new Broken();
    put(value);
    this.#at += arrived.length;
    if (arrived.length < word.length) throw new End();
  }

  #number(put: (value: unknown) => void): void {
    NUMBER_BEGUN.lastIndex = this.#at;
    const begun = NUMBER_BEGUN.exec(this.text)?.[0] ?? "";
    NUMBER.lastIndex = this.#at;
    const whole = NUMBER.exec(this.text)?.[0] ?? "";
    if (begun === "") throw new Broken();
    put(whole === "" ? 0 : Number(whole));
    const isAtEnd = this.#at + begun.length === this.text.length;
    this.#at += isAtEnd ? begun.length : whole.length;
    // More digits may follow.
    if (isAtEnd) throw new End();
    if (begun.length !== whole.length) throw new Broken();
  }

  #space(): void {
    while (" \t\r\n".includes(this.text[this.#at] ?? "none")) this.#at++;
  }

  #peek(): string {
    const character = this.text[this.#at];
    if (character === undefined) throw new End();
    return character;
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw new Broken();
    this.#at++;
  }
}

/** Like `JSON.parse`, which defines a property named `__proto__` instead of setting the prototype. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
