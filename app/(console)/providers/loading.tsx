export { ListLoading as default } from "@/components/ui/states/page-loading";
