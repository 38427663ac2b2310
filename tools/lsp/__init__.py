"""The language server: what `dsl.editing` knows about texts, told to editors over the Language Server Protocol.

It needs the extra `lsp`. `rulewright lsp` starts it on standard input and output.
"""
