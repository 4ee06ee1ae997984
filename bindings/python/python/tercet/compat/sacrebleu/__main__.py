"""`python -m tercet.compat.sacrebleu`: sacreBLEU's command."""

from .sacrebleu import main

if __name__ == "__main__":
    main()
