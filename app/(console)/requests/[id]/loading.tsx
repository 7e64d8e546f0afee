export { ObjectLoading as default } from "@/components/ui/states/object-loading";
