export const language = 'en'
export const direction: 'ltr' | 'rtl' = 'ltr'
