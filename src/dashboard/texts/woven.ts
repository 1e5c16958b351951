import { createElement, Fragment, type ReactNode } from 'react'

/** Weaves elements into a text. The language decides where each one stands. */
export const woven = (texts: TemplateStringsArray, ...parts: ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, index) => [text, parts[index]]))
