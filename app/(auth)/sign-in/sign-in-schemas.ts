export { keySignIn } from "@/lib/console/sign-in/sign-in-form";
export { passwordSignIn } from "@/lib/contract/operations/sign-in/sign-in";
