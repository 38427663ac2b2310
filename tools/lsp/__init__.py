"""The language server: the answers of `dsl.editing`, given to editors over the Language Server Protocol.

It needs the extra `lsp`. `rulewright lsp` starts it on standard input and output.
"""
