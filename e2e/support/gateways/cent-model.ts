/** A model whose answers cost a cent a word. */
export const centModel = {
  id: "cent-a-word",
  family: "chat" as const,
  rate: "1",
  price: { input_per_1m: "0", output_per_1m: "10000" },
  routes: [{ provider: "sandbox", model: "sandbox-echo" }],
};
