export { ListLoading as default } from "@/components/ui/list-loading";
