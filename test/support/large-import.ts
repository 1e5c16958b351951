/** An import of 2 MB: forty pets, each with a long member that the store ignores. */
export const largeImport =
  `${JSON.stringify({ name: 'Rex', categoryId: 1, ignored: 'x'.repeat(50_000) })}\n`.repeat(40)
