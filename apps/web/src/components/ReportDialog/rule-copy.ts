export { ruleCopy } from "@lambda/contract/rule-copy";
