import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { afterEach, expect, it, vi } from "vitest";
import { accountHeader, onOtherAccount, SESSION_KEY } from "./page-account.ts";
import { queryClient } from "./query-client.ts";

afterEach(() => vi.unstubAllGlobals());

it("keeps sending the old account id until the page has reloaded, so that no call runs as the other member", () => {
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  expect(accountHeader()).toEqual({});
  queryClient.setQueryData(SESSION_KEY, { loggedIn: true, profileId: 7 });
  expect(accountHeader()).toEqual({ [ACCOUNT_HEADER]: "7" });
  onOtherAccount();
  expect(reload).toHaveBeenCalledOnce();
  expect(accountHeader()).toEqual({ [ACCOUNT_HEADER]: "7" });
});
