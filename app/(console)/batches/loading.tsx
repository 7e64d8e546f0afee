export { default } from "../tasks/loading";
