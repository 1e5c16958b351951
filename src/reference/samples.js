// The samples' script: shows all samples of the page in one language, which it remembers, and puts the reader's key
// into copied samples.
const languagePlace = 'animal-store.language'
const samples = [...document.querySelectorAll('.samples')]

function showLanguage(language) {
  for (const block of samples) {
    const has = block.querySelector(`pre[data-language="${language}"]`)
    const shown = has ? language : block.querySelector('pre').dataset.language
    for (const pre of block.querySelectorAll('pre')) pre.hidden = pre.dataset.language !== shown
    for (const button of block.querySelectorAll('button[data-language]')) {
      button.setAttribute('aria-pressed', button.dataset.language === shown)
    }
  }
}
showLanguage(localStorage.getItem(languagePlace) ?? 'curl')

for (const block of samples) {
  block.addEventListener('click', ({ target }) => {
    const { language } = target.dataset
    if (target.matches('.copy')) {
      const text = block.querySelector('pre:not([hidden])').textContent
      const filled = key.value.trim() ? text.replaceAll('as_...', key.value.trim()) : text
      copyFrom(target, filled)
    } else if (language) {
      // Samples above the button may change their height, so scroll until the button is under the pointer again.
      const before = target.getBoundingClientRect().top
      showLanguage(language)
      scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
      localStorage.setItem(languagePlace, language)
    }
  })
}

for (const link of document.querySelectorAll('.anchor')) {
  link.addEventListener('click', () => copyFrom(link, link.href))
}

/** Pages served over plain HTTP from another machine have no clipboard API. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = element('textarea', text)
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser refused.')
}

/** Copies a text, and shows the result on the button for a moment. */
async function copyFrom(button, text) {
  // If the button still shows the result of an earlier click, its own label is already stored.
  button.dataset.label ??= button.textContent
  button.textContent = await copy(text).then(
    () => 'Copied',
    () => 'Not copied',
  )
  setTimeout(() => {
    button.textContent = button.dataset.label
  }, 1500)
}
