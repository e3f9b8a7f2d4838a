/** Login and logout calls for use outside of components. */
import { trpcClient } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

type Inputs = RouterInputs["accounts"];
const { accounts, settings } = trpcClient;

export const fetchSession = () => accounts.session.query();
export const fetchOwnSettings = () => settings.get.query();
export const logIn = (input: Inputs["login"]) => accounts.login.mutate(input);
export const logInByToken = (input: Inputs["loginByToken"]) => accounts.loginByToken.mutate(input);
export const logInByDigits = (input: Inputs["loginByDigits"]) => accounts.loginByDigits.mutate(input);
export const logOut = () => accounts.logout.mutate();
