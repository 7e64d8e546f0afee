export { default } from "@/app/(console)/spend-limits/loading";
