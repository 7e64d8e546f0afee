import OpenAI from "openai";

// A customer's program: the official package, one base address, one key. Prints the outcome of each call.
const [baseURL, apiKey, model = "", times = "1"] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });

for (let call = 0; call < Number(times); call++) {
  const outcome = await client.chat.completions
    .create({ model, messages: [{ role: "user", content: "one two three" }] })
    .then(({ choices, usage }) => ({ status: 200, text: choices[0]?.message.content, usage }))
    .catch((error: unknown) => {
      if (!(error instanceof OpenAI.APIError)) throw error;
      const { status, code, error: body, headers } = error;
      return { status, code, body, retryAfter: headers?.get("retry-after") };
    });
  console.log(JSON.stringify(outcome));
}
