export { ObjectLoading as default } from "@/components/ui/states/page-loading";
