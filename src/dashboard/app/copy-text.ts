/** Browsers give the clipboard to secure pages alone; on plain http their older command still does it. */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  if (navigator.clipboard) {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    if (copied) return true
  }
  // Beside the button, since behind an open dialog nothing can be selected.
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr'
  beside.after(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  beside.focus()
  return copied
}
