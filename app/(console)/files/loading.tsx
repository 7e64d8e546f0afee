export { ListLoading as default } from "@/components/states/list-loading";
