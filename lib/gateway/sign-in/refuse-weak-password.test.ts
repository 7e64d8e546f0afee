import { expect, test } from "bun:test";
import { refuseWeakPassword } from "./refuse-weak-password";

const refused = (password: string) => {
  try {
    refuseWeakPassword(password, "ada.byron@example.com");
    return false;
  } catch {
    return true;
  }
};

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
])("%s is refused", (password) => {
  expect(refused(password)).toBe(true);
});

test.each([
  "a horse of wood",
  "correct horse battery staple",
  "vK7#mQ2z!pL9",
  "winterberry soup on mondays",
  "password of the third baker",
  "8141 5926 5358",
])("%s is taken", (password) => {
  expect(refused(password)).toBe(false);
});
