export { ListLoading as default } from "@/components/ui/states/skeleton";
