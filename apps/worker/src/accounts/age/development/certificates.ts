/**
 * The test wallet's issuer and signers: one trusted, one expired and one unknown. A production build trusts none of
 * them.
 */

/** Base64 of the issuing certificate that development builds trust. */
export const DEVELOPMENT_ISSUER =
  "MIIBwDCCAWWgAwIBAgIIYf6E7Cw1kTswCgYIKoZIzj0EAwIwQjELMAkGA1UEBhMCWFgxGTAXBgNVBAoMEERldmVsb3BtZW50IG9ubHkxGDAWBgNVBAMMD1Rlc3QgYWdlIGlzc3VlcjAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEwMDAwMDBaMEIxCzAJBgNVBAYTAlhYMRkwFwYDVQQKDBBEZXZlbG9wbWVudCBvbmx5MRgwFgYDVQQDDA9UZXN0IGFnZSBpc3N1ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASaeTLAPWqggEEolZSXskpoj5fLhzfKg5WnndK3xTibt6i2/+L1QqZnPGpp7khQG6GLYN6m6kb0jwWz8lifj5rmo0UwQzASBgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQULijO3Xry8/UZKwCAwZLR/la3+UQwCgYIKoZIzj0EAwIDSQAwRgIhALpTuJCYHDQ0Mt6PtBY0+w7goCj/Ldte/z84INICJurAAiEAtAk0fIDyLzhz+mqrN39L42LoNOquAPkXrJr+KIGi9PM=";

export interface Signer {
  /** Base64 of the signer's certificate. */
  readonly certificate: string;
  readonly key: Readonly<Record<"kty" | "crv" | "x" | "y" | "d", string>>;
}

export const SIGNERS = {
  /** Issued by the development issuer. */
  trusted: {
    certificate:
      "MIIB8TCCAZegAwIBAgIIEl8e05pO6bEwCgYIKoZIzj0EAwIwQjELMAkGA1UEBhMCWFgxGTAXBgNVBAoMEERldmVsb3BtZW50IG9ubHkxGDAWBgNVBAMMD1Rlc3QgYWdlIGlzc3VlcjAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEwMDAwMDBaMEIxCzAJBgNVBAYTAlhYMRkwFwYDVQQKDBBEZXZlbG9wbWVudCBvbmx5MRgwFgYDVQQDDA9UZXN0IGFnZSBzaWduZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASj9ul4cI2MIaYApCW6jouDHb3swKwm2Q2g21wfTgVQpLkI2xe9G4BlqYVHOnj5FPpBn4U6Zu8lLCv4p6R+y7pDo3cwdTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAVBgNVHSUBAf8ECzAJBgcogYxdBQECMB0GA1UdDgQWBBQPVHqOeZRufRtm09kSaf/ufIcpNzAfBgNVHSMEGDAWgBQuKM7devLz9RkrAIDBktH+Vrf5RDAKBggqhkjOPQQDAgNIADBFAiAfMEPXvvw6ENugp9hHCVkMGG9Ios5hEaF16sTs6euQngIhAO5+scJIX6GVPtXogG85DXLh07IAZ2N9A6xVjKp/MuKH",
    key: {
      kty: "EC",
      crv: "P-256",
      x: "o_bpeHCNjCGmAKQluo6Lgx297MCsJtkNoNtcH04FUKQ",
      y: "uQjbF70bgGWphUc6ePkU-kGfhTpm7yUsK_inpH7LukM",
      d: "Pbxv3erVvf2yEGJ6mQV9i8fkUJQ_kpcwsd8MyzdZAiQ",
    },
  },
  /** Issued by the development issuer, but expired in 2021. */
  expired: {
    certificate:
      "MIIB9DCCAZugAwIBAgIJAIc1+eFpVGRyMAoGCCqGSM49BAMCMEIxCzAJBgNVBAYTAlhYMRkwFwYDVQQKDBBEZXZlbG9wbWVudCBvbmx5MRgwFgYDVQQDDA9UZXN0IGFnZSBpc3N1ZXIwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjBFMQswCQYDVQQGEwJYWDEZMBcGA1UECgwQRGV2ZWxvcG1lbnQgb25seTEbMBkGA1UEAwwSRXhwaXJlZCBhZ2Ugc2lnbmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEwUGpfg62hR+HkzOeUgmefklDjld833x4a1GDTLqbEK8iy+HwfpsE9rUtVJuVEanIKaUEOvwfPePso0jf9wkA6aN3MHUwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwFQYDVR0lAQH/BAswCQYHKIGMXQUBAjAdBgNVHQ4EFgQUklAjOO/C+qmo4f5VCp03pvcS1p8wHwYDVR0jBBgwFoAULijO3Xry8/UZKwCAwZLR/la3+UQwCgYIKoZIzj0EAwIDRwAwRAIgHMdr3FCJLt21PIY+XwV0AB1okS9wnSP/bsAVshEm79oCIAdXLJDZ2UzRJBFbWgVujcTGsJrWp17C1RG0DQoQVUXd",
    key: {
      kty: "EC",
      crv: "P-256",
      x: "wUGpfg62hR-HkzOeUgmefklDjld833x4a1GDTLqbEK8",
      y: "Isvh8H6bBPa1LVSblRGpyCmlBDr8Hz3j7KNI3_cJAOk",
      d: "GEs5dt48C8QBkH2A-tZsf26ThYEbJMz_Oh3GJEWsh4U",
    },
  },
  /** Issued under the same name with a different key. */
  stranger: {
    certificate:
      "MIIB8TCCAZigAwIBAgIJAJOijg54Q4EjMAoGCCqGSM49BAMCMEIxCzAJBgNVBAYTAlhYMRkwFwYDVQQKDBBEZXZlbG9wbWVudCBvbmx5MRgwFgYDVQQDDA9UZXN0IGFnZSBpc3N1ZXIwHhcNMjAwMTAxMDAwMDAwWhcNNDkxMjMxMDAwMDAwWjBCMQswCQYDVQQGEwJYWDEZMBcGA1UECgwQRGV2ZWxvcG1lbnQgb25seTEYMBYGA1UEAwwPVGVzdCBhZ2Ugc2lnbmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZgUPtKkBIyqtfVn7tjAAxnzcKyI1A8THDHLXs3S9CA1cHj3qP0IEVqQsMnATHFEtYNsVjKMu8SYoMVgMRxGLSqN3MHUwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwFQYDVR0lAQH/BAswCQYHKIGMXQUBAjAdBgNVHQ4EFgQUQBbVZhnmNjKdjZJZyGBF7VNqmg4wHwYDVR0jBBgwFoAUtW5fTiAJoN90kSwE4KLSrn0un3EwCgYIKoZIzj0EAwIDRwAwRAIgPOgJ9sQ0CyBCQefhcrhiwDz8B1b06xozlzF1Vk3KiRkCIC+5gVXhyN/cGMrf23zW8NdzBZVEE+dd1Z2bCEnoe6yl",
    key: {
      kty: "EC",
      crv: "P-256",
      x: "ZgUPtKkBIyqtfVn7tjAAxnzcKyI1A8THDHLXs3S9CA0",
      y: "XB496j9CBFakLDJwExxRLWDbFYyjLvEmKDFYDEcRi0o",
      d: "Hiw2R9ZB0M0f-1huaU8jGZ147dWc-X6_NlAqJ2JOkwU",
    },
  },
} as const satisfies Record<string, Signer>;
