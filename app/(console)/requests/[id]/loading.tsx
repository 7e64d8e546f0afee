export { ObjectLoading as default } from "@/components/ui/states/skeleton";
