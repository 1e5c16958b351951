/** Why a kind of request costs more in a large store, by axis and kind. The report prints these reasons where needed. */
export const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
