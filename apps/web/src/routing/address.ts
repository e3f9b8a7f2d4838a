/**
 * The address of the screen. It is the browser's, except under an app lock, where the browser is shown and keeps none
 * (features/accounts/lock/hide-addresses.ts): read it here, never from `location`.
 */
import type { BaseLocationHook } from "wouter";
import { navigate, useLocationProperty } from "wouter/use-browser-location";

export type Address = Pick<Location, "pathname" | "search" | "hash">;

interface AddressSource {
  readonly isHidden?: boolean;
  readonly read: () => Address;
  /** What a link to a path of this site shows to the browser. */
  readonly hrefOf: (path: string) => string;
}

let source: AddressSource = { read: () => location, hrefOf: (path) => path };

export function setAddressSource(next: AddressSource): void {
  source = next;
}

export const currentAddress = (): Address => source.read();
export const isAddressHidden = (): boolean => source.isHidden === true;
export const hrefOf = (path: string): string => source.hrefOf(path);

/** Rerenders on navigation. */
export function useAddress<Value extends string | boolean>(select: (address: Address) => Value): Value {
  const read = () => select(currentAddress());
  return useLocationProperty(read, read);
}

export const usePath: BaseLocationHook = () => [useAddress(({ pathname }) => pathname), navigate];
export const useQuery = (): string => useAddress(({ search }) => search);
