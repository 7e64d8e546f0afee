import { expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { findMessageFault } from "./media-call";
import { findMediaFaults, listMediaFields, pickGivenOptions } from "./media-fields";

type Model = Pick<OrganizationModel, "family" | "unit_price">;
const image: Model = { family: "image", unit_price: { unit: "image", amount: "1", qualities: { hd: "2" } } };
const speech: Model = { family: "speech", unit_price: null };

test("options are sent as the API takes them, and those that are left empty are not sent", () => {
  const options = {
    n: "1_000",
    size: " 512x512 ",
    quality: "",
    further: '{"style": "vivid"}',
    voice: "alloy",
  };
  expect(pickGivenOptions(image, { ...options, n: "4" })).toEqual({ n: 4, size: "512x512", style: "vivid" });
  expect(pickGivenOptions(speech, { speed: "1.5", instructions: "calmly" })).toEqual({
    speed: 1.5,
    instructions: "calmly",
  });
});

test("a faulty option is named, and options of another kind of model don't count", () => {
  expect(findMediaFaults(image, { n: "11", size: "huge", speed: "fast" })).toEqual({
    n: "Images: give a whole number from 1 to 10.",
    size: "Size: write it as 1024x1024.",
  });
  expect(findMediaFaults(speech, { speed: "nine" })).toHaveProperty("speed");
  expect(findMediaFaults(image, { further: "[1]" })).toHaveProperty("further");
});

test("only qualities with a price can be chosen", () => {
  const quality = (model: Model) => listMediaFields(model).find(({ name }) => name === "quality")?.values;
  expect(quality(image)).toEqual(["hd"]);
  expect(quality({ ...image, unit_price: { unit: "image", amount: "1" } })).toBeUndefined();
});

test("nothing that is attached is dropped in silence", () => {
  const file = (kind: "audio" | "image") => ({ name: "a", mimeType: "x/y", data: "", kind });
  expect(findMessageFault("image", { text: "a", attachments: [file("image")] })).toContain(
    "Files can’t be sent",
  );
  expect(findMessageFault("transcription", { text: "a" })).toContain("Attach the recording");
  expect(
    findMessageFault("transcription", { text: "", attachments: [file("audio"), file("audio")] }),
  ).toContain("Attach one recording. Each call transcribes one.");
  expect(findMessageFault("transcription", { text: "", attachments: [file("audio")] })).toBeNull();
  expect(findMessageFault("speech", { text: " " })).toContain("Write a message");
});
