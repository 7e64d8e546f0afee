import { isMediaFamily } from "@/lib/contract/calls/model-families";
import type { OtherFamily } from "../streaming/stream-media";
import { callLiteral, quoteForShell, toLiteral, toPython } from "./api-snippets";

// Safe for the browser.

type MediaSnippetCall = {
  /** Ends in `/v1`. */
  baseUrl: string;
  family: OtherFamily;
  body: Readonly<Record<string, unknown>>;
  /** True to translate a recording into English. */
  translates: boolean;
};

/** Stands for the recording of a transcription. */
const RECORDING = "recording.mp3";

/** Complete programs that make a call to a model that isn't a chat model. The key is read from the environment. */
export function mediaSnippets(call: MediaSnippetCall) {
  return [
    { id: "curl", label: "curl", code: writeCurl(call) },
    { id: "openai", label: "openai", code: writeTypescript(call) },
    { id: "python", label: "openai, Python", code: writePython(call) },
  ];
}

function choosePath({ family, translates }: MediaSnippetCall): string {
  if (family === "image") return "/images/generations";
  if (family === "video") return "/videos";
  if (family === "music") return "/chat/completions";
  if (family === "speech") return "/audio/speech";
  if (family === "embedding") return "/embeddings";
  if (family === "moderation") return "/moderations";
  return translates ? "/audio/translations" : "/audio/transcriptions";
}

function writeCurl(call: MediaSnippetCall): string {
  const { baseUrl, family, body } = call;
  const head = [
    `curl ${quoteForShell(`${baseUrl}${choosePath(call)}`)} \\`,
    `  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\`,
  ];
  if (family === "transcription") {
    const fields = Object.entries(body).map(
      ([name, value]) => `  -F ${quoteForShell(`${name}=${String(value)}`)} \\`,
    );
    return [...head, ...fields, `  -F file=@${RECORDING}`].join("\n");
  }
  const out = family === "speech" ? [`  -o ${nameSpeechFile(body)} \\`] : [];
  const json = `  -d ${quoteForShell(JSON.stringify(body, null, 2))}`;
  return [...head, `  -H "Content-Type: application/json" \\`, ...out, json].join("\n");
}

function nameSpeechFile({ response_format: format }: MediaSnippetCall["body"]): string {
  return `speech.${typeof format === "string" ? format : "mp3"}`;
}

function writeTypescript(call: MediaSnippetCall): string {
  const { baseUrl, family } = call;
  const imports = family === "transcription" ? 'import { createReadStream } from "node:fs";\n' : "";
  const writes = ["image", "video", "speech"].includes(family)
    ? 'import { writeFile } from "node:fs/promises";\n'
    : "";
  return `${imports}${writes}import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

${writeTypescriptCall(call)}`;
}

function writeTypescriptCall(call: MediaSnippetCall): string {
  const { family, body } = call;
  switch (family) {
    case "image":
      return `const { data } = await ${callLiteral("client.images.generate", { ...body, response_format: "b64_json" })}
for (const [index, { b64_json }] of data!.entries())
  await writeFile(\`image-\${index}.png\`, Buffer.from(b64_json!, "base64"));`;
    case "video":
      return `let video = await ${callLiteral("client.videos.create", buildVideoBody(body))}
while (video.status === "queued" || video.status === "in_progress") {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  video = await client.videos.retrieve(video.id);
}
if (video.error) throw new Error(video.error.message);
const content = await client.videos.downloadContent(video.id);
await writeFile("video.webm", Buffer.from(await content.arrayBuffer()));`;
    case "music":
      return `let task = await client.post<any>("/chat/completions", { body: ${toLiteral(body)} });
while (task.ended_at === null) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  task = await client.get<any>(\`/tasks/\${task.id}\`);
}
console.log(task.status, task.output);`;
    case "speech":
      return `const speech = await ${callLiteral("client.audio.speech.create", body)}
await writeFile("${nameSpeechFile(body)}", Buffer.from(await speech.arrayBuffer()));`;
    case "transcription": {
      const fields = toLiteral(body).replace(/^\{/, `{\n  file: createReadStream("${RECORDING}"),`);
      const verb = call.translates ? "translations" : "transcriptions";
      const result = isJson(body) ? "transcript.text" : "transcript";
      return `const transcript = await client.audio.${verb}.create(${fields});
console.log(${result});`;
    }
    case "embedding":
      return `const { data } = await ${callLiteral("client.embeddings.create", body)}
console.log(data[0]!.embedding);`;
    case "moderation":
      return `const { results } = await ${callLiteral("client.moderations.create", body)}
console.log(results[0]);`;
  }
}

/** OpenAI's library types the seconds of a video as text. */
function buildVideoBody({ seconds, ...body }: MediaSnippetCall["body"]): object {
  return { ...body, ...(seconds !== undefined && { seconds: String(seconds) }) };
}

function isJson({ response_format: format }: MediaSnippetCall["body"]): boolean {
  return format === undefined || format === "json";
}

function writePython(call: MediaSnippetCall): string {
  const { baseUrl, family } = call;
  const imports =
    family === "image"
      ? "import base64\nimport os\n"
      : isMediaFamily(family)
        ? "import os\nimport time\n"
        : "import os\n";
  return `${imports}from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["GATEHOUSE_API_KEY"],
)

${writePythonCall(call)}`;
}

function writePythonCall(call: MediaSnippetCall): string {
  const { family, body } = call;
  const post = (path: string) => `client.post("${path}", cast_to=object, body=${toPython(body)})`;
  switch (family) {
    case "image":
      return `images = ${post("/images/generations")}
for index, image in enumerate(images["data"]):
    with open(f"image-{index}.png", "wb") as file:
        file.write(base64.b64decode(image["b64_json"]))`;
    case "video":
    case "music":
      return `task = ${post("/chat/completions")}
while task["ended_at"] is None:
    time.sleep(1)
    task = client.get(f"/tasks/{task['id']}", cast_to=object)
print(task["status"], task["output"])`;
    case "speech":
      return `with client.audio.speech.with_streaming_response.create(**${toPython(body)}) as speech:
    speech.stream_to_file("${nameSpeechFile(body)}")`;
    case "transcription":
      return `transcript = client.audio.${call.translates ? "translations" : "transcriptions"}.create(
    file=open("${RECORDING}", "rb"),
    **${toPython(body, "    ")},
)
print(${isJson(body) ? "transcript.text" : "transcript"})`;
    case "embedding":
      return `reply = ${post("/embeddings")}
print(reply["data"][0]["embedding"])`;
    case "moderation":
      return `reply = ${post("/moderations")}
print(reply["results"][0])`;
  }
}
