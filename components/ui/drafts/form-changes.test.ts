import { expect, test } from "bun:test";
import { createFormControl } from "react-hook-form";
import { countFieldChanges, takeSavedValues } from "./form-changes";

type Limits = { requests: number | string; tokens: number; models: string[]; note: string };
const base: Limits = { requests: 600, tokens: 1_000, models: ["a"], note: "" };

function openForm(defaultValues = base) {
  const form = createFormControl<Limits>({ defaultValues });
  // Once it is rendered, `useForm` does the same.
  form.control._state.mount = true;
  for (const name of ["requests", "tokens", "models", "note"] as const) form.register(name);
  return form as typeof form & Parameters<typeof countFieldChanges<Limits>>[0];
}

test("what is typed while a save runs stays, as the only unsaved change", () => {
  const form = openForm();
  form.setValue("requests", 42);
  const sentValues = structuredClone(form.getValues());
  form.setValue("tokens", 7);
  form.setValue("note", "later");
  takeSavedValues(form, { ...base, requests: 42, models: ["a", "b"] }, sentValues);
  expect(form.getValues()).toEqual({ requests: 42, tokens: 7, models: ["a", "b"], note: "later" });
  expect(countFieldChanges(form)).toEqual({ tokens: 1, note: 1 });
});

test("a field that was sent and is typed again keeps its newer text, even one that can't be saved", () => {
  const form = openForm();
  form.setValue("requests", 42);
  form.setValue("models", ["a", "b"]);
  const sentValues = structuredClone(form.getValues());
  form.setValue("requests", "42x");
  form.setValue("models", ["b"]);
  takeSavedValues(form, { ...base, requests: 42, models: ["a", "b"] }, sentValues);
  expect(form.getValues()).toMatchObject({ requests: "42x", models: ["b"] });
  expect(countFieldChanges(form)).toEqual({ requests: 1, models: 1 });
});

test("what wasn't touched since takes the saved value, also one that the gateway wrote differently", () => {
  const form = openForm();
  form.setValue("note", " sent ");
  takeSavedValues(form, { ...base, tokens: 5, note: "sent" }, structuredClone(form.getValues()));
  expect(form.getValues()).toEqual({ ...base, tokens: 5, note: "sent" });
  expect(countFieldChanges(form)).toEqual({});
});
