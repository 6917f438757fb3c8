"""Decoders of file formats that no library reads as a terrain editor needs: arrays in, arrays out, no map in sight."""
