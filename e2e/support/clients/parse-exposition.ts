/** A sample of a scrape. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** Metric types by name. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/**
 * Parses Prometheus's text format 0.0.4.
 * @throws Error at the first invalid line, and for a sample without a type.
 */
export function parseExposition(text: string): Scrape {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const [, name = "", type = ""] =
      /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line) ?? [];
    if (name !== "") types.set(name, type);
    else if (line !== "" && !line.startsWith("# HELP ")) samples.push(parseSample(line, types));
  }
  return { types, samples };
}

function parseSample(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  const isTyped = types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, "")) === "histogram";
  const number = value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
  if (!isTyped || Number.isNaN(number)) throw new Error(`No sample: ${line}`);
  return { name, labels: parseLabels(labels), value: number };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = "", value = ""] = LABEL.exec(text) ?? [];
    if (name === "") throw new Error(`No labels: ${text}`);
    labels[name] = value;
  }
  return labels;
}
