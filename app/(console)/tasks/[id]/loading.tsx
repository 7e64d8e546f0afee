export { ObjectLoading as default } from "@/components/states/object-loading";
